import { startedClean } from './action/clean-start.ts';
import { postStep } from './action/sweep.ts';

// What a job has left running may still look.
startedClean();
void postStep();
