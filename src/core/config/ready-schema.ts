import * as z from 'zod';
import { duration, requestPath } from '../values/scalars.ts';

/** When a part counts as up; the path is a service's alone. */
export function ready(timeout: string, path: boolean) {
  const shape = {
    timeout: duration.meta({ description: 'How long to wait for it.', default: timeout }).optional(),
  };
  return path
    ? z.strictObject({
        path: requestPath
          .meta({
            description: "Path that is asked until it is answered, base path included; else the first endpoint's.",
          })
          .optional(),
        port: z
          .literal(true, 'true')
          .meta({ description: 'An open port is enough, and no path is asked: for a server that answers no GET.' })
          .optional(),
        ...shape,
      })
    : z.strictObject(shape);
}
