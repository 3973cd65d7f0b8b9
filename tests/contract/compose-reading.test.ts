// needs: nothing
import { composeContract } from './compose-contract.ts';

composeContract('wrkbench', { read: async () => [] });
