// Stops the Docker engine that set-up has started, and no other.
import { stopEngine } from './engine.mjs';

await stopEngine();
