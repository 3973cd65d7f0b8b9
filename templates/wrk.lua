-- __REQUEST__

-- Bytes that this process has written: https://man7.org/linux/man-pages/man5/proc_pid_io.5.html
local function writtenBytes()
   local file = io.open("/proc/self/io")
   if not file then return nil end
   local text = file:read("*a")
   file:close()
   return tonumber(string.match(text, "wchar: (%d+)"))
end

-- wrk calls this before it makes each of its threads. By the first call it has read its arguments and this script, and
-- found the server; no thread sends anything yet.
local begun, one, writtenBefore = false, nil, nil
function setup(thread)
   -- __EACH_THREAD__
   if begun then return end
   io.stdout:write(__READY_LINE__)
   io.stdout:flush()
   -- An input that ends without a line: whoever wanted this load is gone.
   if not io.read("*l") then os.exit(1) end
   begun, one, writtenBefore = true, thread, writtenBytes()
end

-- In each thread, whose request is whole by now and always the same.
function init()
   requestBytes = #wrk.format()
end

-- What nobody has answered when the load ends was sent as well, and costs the server as much.
local function sentRequests()
   -- __SENT__
   local written = writtenBytes()
   if not one or not writtenBefore or not written then return "null" end
   return string.format("%d", (written - writtenBefore) / one:get("requestBytes") + 0.5)
end

local function number(value)
   if value ~= value or value == math.huge or value == -math.huge then return "null" end
   return string.format("%.17g", value)
end

-- An error in here would end wrk before its text is flushed, so a file that cannot be opened is left out.
function done(summary, latency, requests)
   local sent = sentRequests()
   local file = io.open(__RESULT_PATH__, "w")
   if not file then return end
   local percentiles = {}
   for _, p in ipairs({__PERCENTILES__}) do
      percentiles[#percentiles + 1] = string.format('"%s": %s', p, number(latency:percentile(p)))
   end
   local errors = {}
   for _, kind in ipairs({"connect", "read", "write", "timeout", "status"}) do
      errors[#errors + 1] = string.format('"%s": %s', kind, number(summary.errors[kind]))
   end
   -- Without a single latency, min is 2^64 - 1.
   local min = latency.max == 0 and 0 or latency.min
   file:write('{"requests": ', number(summary.requests), ', "sent": ', sent, ', "bytes": ', number(summary.bytes),
      ', "duration_us": ', number(summary.duration), ',\n "errors": {', table.concat(errors, ", "),
      '},\n "latency_us": {"min": ', number(min), ', "max": ', number(latency.max),
      ', "mean": ', number(latency.mean), ', "stdev": ', number(latency.stdev),
      ',\n  "percentiles": {', table.concat(percentiles, ", "), '}}}\n')
   file:close()
   -- wrk closes its connections when it ends. Until then the server answers the last requests as it did all others.
   io.stdout:write(__ENDED_LINE__)
   io.stdout:flush()
   -- A signal that comes late ends a read, and is none of the two.
   local line, cause
   repeat line, cause = io.read("*l") until line or not cause
end
