// zizmor, which looks for what is dangerous in workflows: its program out of the wheel that its authors publish.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './announcement.mjs';
import { download } from './download.mjs';
import { CACHE_BIN, pinnedProgram } from './machine.mjs';
import { filesOfZip } from './module-zip.mjs';

export const ZIZMOR = { name: 'zizmor', version: '1.32.0' };
const WHEELS = {
  x64: {
    url: `https://files.pythonhosted.org/packages/6f/b2/45f4fcb6f428e774750709ecf5320ba6d96393c03b941d9f37a4586f6924/zizmor-${ZIZMOR.version}-py3-none-manylinux_2_28_x86_64.whl`,
    sha256: '84a6acb975accc13408786a2bd274b572537ca19c933ebbc13e78f3988562071',
  },
  arm64: {
    url: `https://files.pythonhosted.org/packages/be/18/8d66db6e98c89f5d647236e282062d8ccc73f7ba759f7ef8dd6204683518/zizmor-${ZIZMOR.version}-py3-none-manylinux_2_24_aarch64.whl`,
    sha256: '0cdd38fca6eb34ceb567548548d706332e3535ea66894b9168c048e03207b68c',
  },
};

export const WITHOUT_ZIZMOR = 'workflows cannot be searched for what is dangerous';

/** @returns {Promise<string | null>} why there is no zizmor; null when there is. */
export async function ensureZizmor() {
  if (pinnedProgram(ZIZMOR.name, ZIZMOR.version)) return null;
  const wheel = WHEELS[process.arch];
  if (wheel === undefined || process.platform !== 'linux') return `none for ${process.platform} ${process.arch}`;
  return timed(`zizmor ${ZIZMOR.version} from PyPI: looks for what is dangerous in workflows`, () =>
    installed(wheel),
  ).then(
    () => null,
    (error) => error.message,
  );
}

async function installed({ url, sha256 }) {
  const zip = await download(url);
  const got = createHash('sha256').update(zip).digest('hex');
  if (got !== sha256) throw new Error(`${url} has the SHA-256 ${got}, and ${sha256} is pinned`);
  const program = [...filesOfZip(zip)].find(({ name }) => name.endsWith('/scripts/zizmor'));
  if (program === undefined) throw new Error(`${url} holds no zizmor`);
  mkdirSync(CACHE_BIN, { recursive: true });
  const path = join(CACHE_BIN, 'zizmor');
  // Another version that runs at this moment cannot be written over, and can be removed.
  rmSync(path, { force: true });
  writeFileSync(path, program.content);
  chmodSync(path, 0o755);
}
