import { getInput } from '@actions/core';
import { actionStep } from './action/step.ts';

declare const WRKBENCH_VERSION: string;

void actionStep(getInput, WRKBENCH_VERSION);
