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
            description:
              "Path that is asked by GET until it is answered, base path included; that of an endpoint with the endpoint's own request. Without it, the path of the first GET endpoint, else `/`.",
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
