import { getInput } from '@actions/core';
import { startedClean } from './action/clean-start.ts';
import { actionStep } from './action/step.ts';

declare const WRKBENCH_VERSION: string;

// Before anything else: what comes after may start what a pull request brings.
const clean = startedClean();
void actionStep(getInput, WRKBENCH_VERSION, clean);
