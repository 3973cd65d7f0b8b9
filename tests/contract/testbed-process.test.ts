// needs: postgres, go, linux
import { remains, runtime } from '../integration/process-runtime/given.ts';
import { misbehavingProgram, restNodeProgram } from '../support/server-programs.ts';
import { testbedContract } from './testbed.ts';

let misbehaving = '';
let restNode = '';

testbedContract('process', {
  runtime,
  async prepare() {
    misbehaving = await misbehavingProgram();
    restNode = await restNodeProgram();
  },
  restNode: () => ({ image: null, command: ['node', restNode] }),
  misbehaving: () => ({ image: null, command: [misbehaving] }),
  images: { database: '', pooler: '', gateway: '' },
  unseen: [],
  remains: () => remains(),
});
