import type { RequestParts } from '../request.ts';

/** Percentiles that are asked of wrk; each costs one pass over its histogram, after the load. */
const PERCENTILES = [50, 75, 90, 95, 99, 99.9, 99.99];

/** What wrk prints before anything else, when all that is left is to load. */
export const READY_LINE = 'wrkbench: ready';

/**
 * The Lua script of one execution. It sets the request once and defines `setup`, which waits for the word to begin, and
 * `done`. Both cost nothing under load; a `request` or `response` function would be called for each request and cut the
 * load.
 */
export function wrkScript(request: RequestParts, resultPath: string): string {
  const headers = request.headers.map(([name, value]) => `wrk.headers[${luaString(name)}] = ${luaString(value)}`);
  return `wrk.method = ${luaString(request.method)}
${request.body === null ? '' : `wrk.body = ${luaString(request.body)}\n`}${headers.map((line) => `${line}\n`).join('')}
-- wrk calls this before it makes each of its threads. By the first call it has read its arguments and this script, and
-- found the server; no thread sends anything yet.
local begun = false
function setup()
   if begun then return end
   io.stdout:write(${luaString(`${READY_LINE}\n`)})
   io.stdout:flush()
   -- An input that ends without a line: whoever wanted this load is gone.
   if not io.read("*l") then os.exit(1) end
   begun = true
end

local function number(value)
   if value ~= value or value == math.huge or value == -math.huge then return "null" end
   return string.format("%.17g", value)
end

-- An error in here would end wrk before its text is flushed, so a file that cannot be opened is left out.
function done(summary, latency, requests)
   local file = io.open(${luaString(resultPath)}, "w")
   if not file then return end
   local percentiles = {}
   for _, p in ipairs({${PERCENTILES.join(', ')}}) do
      percentiles[#percentiles + 1] = string.format('"%s": %s', p, number(latency:percentile(p)))
   end
   local errors = {}
   for _, kind in ipairs({"connect", "read", "write", "timeout", "status"}) do
      errors[#errors + 1] = string.format('"%s": %s', kind, number(summary.errors[kind]))
   end
   -- Without a single latency, min is 2^64 - 1.
   local min = latency.max == 0 and 0 or latency.min
   file:write('{"requests": ', number(summary.requests), ', "bytes": ', number(summary.bytes),
      ', "duration_us": ', number(summary.duration), ',\\n "errors": {', table.concat(errors, ", "),
      '},\\n "latency_us": {"min": ', number(min), ', "max": ', number(latency.max),
      ', "mean": ', number(latency.mean), ', "stdev": ', number(latency.stdev),
      ',\\n  "percentiles": {', table.concat(percentiles, ", "), '}}}\\n')
   file:close()
end
`;
}

/** A Lua literal for any text: as UTF-8, byte by byte, with everything but plain letters written as a number. */
export function luaString(text: string): string {
  let literal = '"';
  for (const byte of new TextEncoder().encode(text)) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    // Three digits always: what follows may be a digit itself.
    literal += plain ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
  }
  return `${literal}"`;
}
