import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { cpus } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../../src/adapters/machine/clock.ts';
import { modelInLscpu } from '../../../src/adapters/machine/cpu.ts';
import { readEnvironment } from '../../../src/adapters/machine/environment.ts';
import { operatingSystemIn } from '../../../src/adapters/machine/operating-system.ts';
import { createPortMeter, restingPorts } from '../../../src/adapters/machine/ports.ts';
import { runCommand } from '../../../src/adapters/process/command.ts';

const shell = async (command: string) => (await runCommand('bash', ['-c', command])).stdout.trim();

describe('the environment of a record', () => {
  it('is what the system itself says', async () => {
    const versions = { wrk: '4.1.0', k6: null, ab: null, h2load: null, docker: '28.2.2', postgres: '15.18' };
    const environment = await readEnvironment(versions);
    expect(environment).toMatchObject({
      cpuModel: expect.stringMatching(/[A-Za-z]/),
      cpuCount: cpus().length,
      memoryBytes: Number(await shell("awk '/MemTotal/ {print $2}' /proc/meminfo")) * 1024,
      kernel: await shell('uname -r'),
      os: await shell('. /etc/os-release && echo "$PRETTY_NAME"'),
      versions,
    });
    expect(await shell('lscpu')).toContain(environment.cpuModel);
    const files = Object.keys(environment.sysctls).map((name) => `/proc/sys/${name.replaceAll('.', '/')}`);
    const values = (await shell(`for file in ${files.join(' ')}; do head -n 1 $file; done`)).split('\n');
    expect(Object.values(environment.sysctls)).toEqual(values.map((value) => value.replace(/\s+/g, ' ')));
    expect(Object.keys(environment.sysctls)).toEqual(
      expect.arrayContaining(['net.core.somaxconn', 'net.ipv4.ip_local_port_range', 'net.ipv4.tcp_tw_reuse']),
    );
  });

  it.each([
    ['Architecture: aarch64\nVendor ID:    ARM\n  Model name: Neoverse-N1\n    Model:    1\n', 'ARM Neoverse-N1'],
    ['Vendor ID:  ARM\nModel name:  -\n', null],
    ['Vendor ID:  Apple\nModel name:  Apple M1\n', 'Apple M1'],
    ['Vendor ID:  GenuineIntel\nModel name:  Intel(R) Xeon(R) Processor\n', 'Intel(R) Xeon(R) Processor'],
    ['Vendor ID:  0x61\nModel name:  Icestorm\n', 'Icestorm'],
    ['', null],
  ])('has a name for the CPU where the kernel has numbers: %j', (text, model) => {
    expect(modelInLscpu(text)).toBe(model);
  });

  it.each([
    ['PRETTY_NAME="Ubuntu 24.04.3 LTS"\nID=ubuntu\nID_LIKE=debian\n', 'Ubuntu 24.04.3 LTS', ['ubuntu', 'debian']],
    [
      'NAME=\'Rocky Linux\'\nID="rocky"\nID_LIKE="rhel centos fedora"',
      'Rocky Linux',
      ['rocky', 'rhel', 'centos', 'fedora'],
    ],
    ['NAME=Void\n', 'Void', []],
  ])('has a name for the system: %j', (text, name, families) => {
    expect(operatingSystemIn(text)).toEqual({ name, families });
    expect(operatingSystemIn('')).toBeNull();
  });
});

describe('local ports', () => {
  it('in TIME_WAIT are counted, of those that there are', async () => {
    const meter = createPortMeter();
    const [first, last] = (await shell('cat /proc/sys/net/ipv4/ip_local_port_range')).split(/\s+/).map(Number);
    expect(meter.read().available).toBe(last! - first! + 1);

    const server = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    for (let number = 0; number < 60; number += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.end());
        socket.resume().on('close', () => resolve());
      });
    }
    // The client closed first, so they are on this side, and stay for a minute.
    expect(meter.read().timeWait).toBeGreaterThanOrEqual(60);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('local ports that may not be taken again yet', () => {
  const row = (local: string, left: string, state = '06') =>
    `   0: ${local} 0100007F:1F90 ${state} 00000000:00000000 03:${left} 00000000     0        0 0 3 0000000000000000`;
  const table = (...rows: string[]) => ['  sl  local_address rem_address   st', ...rows].join('\n');
  const range = { first: 0x8000, last: 0x9000 };
  const JUST_NOW = '0000176F';
  const A_WHILE_AGO = '00000BB8';

  it('are those of the range, each once, by whichever table', () => {
    const four = table(
      row('0200000A:8001', A_WHILE_AGO),
      row('0200000A:8002', JUST_NOW),
      row('0200000A:8002', JUST_NOW),
    );
    const six = table(row('0000000000000000FFFF00000200000A:8003', JUST_NOW), row('0200000A:9001', JUST_NOW));
    expect(restingPorts(range, [four, six], 0)).toBe(3);
  });

  it('are not the thousands of sockets on the one port that a server closed first at, nor connected ones', () => {
    const served = Array.from({ length: 5000 }, () => row('0200000A:8888', JUST_NOW));
    expect(restingPorts(range, [table(...served, row('0200000A:8001', JUST_NOW, '01'))], 0)).toBe(1);
  });

  it.each([
    ['tcp_tw_reuse=0 keeps each for its 60 s', 0, 6],
    ['tcp_tw_reuse=1 gives each back after a second', 1, 2],
    ['tcp_tw_reuse=2 gives those of loopback back after a second', 2, 3],
  ])('%s', (_, twReuse, expected) => {
    const rows = [
      row('0200000A:8001', A_WHILE_AGO),
      row('0200000A:8002', JUST_NOW),
      row('0100007F:8003', A_WHILE_AGO),
      row('0100007F:8004', JUST_NOW),
      row('0000000000000000FFFF00000100007F:8005', A_WHILE_AGO),
      row('00000000000000000000000001000000:8006', A_WHILE_AGO),
    ];
    expect(restingPorts(range, [table(...rows)], twReuse)).toBe(expected);
  });

  it('are read from this kernel’s own table', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const local = await new Promise<number>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        const own = socket.localPort!;
        socket.resume().on('close', () => resolve(own));
        socket.end();
      });
    });
    await new Promise((resolve) => server.close(resolve));
    const tables = [readFileSync('/proc/net/tcp', 'utf8'), readFileSync('/proc/net/tcp6', 'utf8')];
    expect(restingPorts({ first: local, last: local }, tables, 0)).toBe(1);
  });
});

describe('the clock', () => {
  const clock = createClock();
  const never = new AbortController().signal;

  it('goes on in nanoseconds, and tells the calendar apart', async () => {
    const before = clock.monotonicNs();
    await clock.sleep(0.02, never);
    // Timers of Node.js may end up to a millisecond early.
    expect(clock.monotonicNs() - before).toBeGreaterThanOrEqual(19e6);
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1000);
  });

  it('sleeps no longer than it may: an abort rejects with its own reason', async () => {
    const reason = new Error('SIGTERM');
    await expect(clock.sleep(60, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const asleep = clock.sleep(60, controller.signal);
    controller.abort(reason);
    await expect(asleep).rejects.toBe(reason);
  });
});
