import { postStep } from './action/sweep.ts';

void postStep();
