import * as z from 'zod';
import { imageReference, relativePath } from '../values/scalars.ts';
import { orAbsent, orShort, required, section, usual } from '../values/section.ts';
import { endpointGlobs } from './service.ts';

const gateway = section({
  kind: required(z.enum(['nginx']), 'Which gateway.'),
  image: usual(imageReference, 'nginx:1.29', 'Its image.'),
  config: orAbsent(
    relativePath,
    "nginx's whole configuration, instead of that of wrkbench. In it `${upstream}` is the address and port of the service, `${listen}` what it has to listen on, `${workers}` the number of CPUs that it may use, and `${folder}` a folder that it may write to.",
  ),
  endpoints: orAbsent(
    endpointGlobs,
    'Which endpoints are asked through it as well: names, or globs of `*`, `?` and `{a,b}`. All where it is absent.',
  ),
});

export const gatewayOrKind = orShort(z.literal('nginx'), gateway, 'nginx, or a map such as {kind: nginx}', (kind) => ({
  kind,
}));
