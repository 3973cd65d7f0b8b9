-- Copies of what is called below, so that nothing the user's script does to these tables changes what is written.
local library = io
local io = {open = io.open, read = io.read, stdout = io.stdout, stderr = io.stderr}
local os, string, table = {exit = os.exit}, {format = string.format, match = string.match}, {concat = table.concat}
local math, ipairs, pcall, select, tonumber, tostring = {huge = math.huge}, ipairs, pcall, select, tonumber, tostring

-- __OURS__

local ours = {setup = setup, done = done}
setup, init, done = nil, nil, nil

-- What the script prints goes to standard error: standard output is wrk's, and is read.
library.stdout = library.stderr
library.output(library.stderr)
function print(...)
   local words = {}
   for index = 1, select("#", ...) do words[index] = tostring((select(index, ...))) end
   io.stderr:write(table.concat(words, "\t"), "\n")
end

local function failure(cause)
   io.stderr:write("load.wrk.script: ", tostring(cause), "\n")
end

-- wrk itself would go on without a script that cannot be read or that throws.
local chunk, cause = loadfile(__USER_SCRIPT__)
local ran = false
if chunk then ran, cause = pcall(chunk) end
if not ran then
   failure(cause)
   os.exit(1)
end

local theirs = {setup = setup, done = done}
local function finish(summary, latency, requests)
   ours.done(summary, latency, requests)
   if not theirs.done then return end
   local finished, reason = pcall(theirs.done, summary, latency, requests)
   if not finished then failure(reason) end
end

function setup(thread)
   -- Without the thread: requests of a script of its own are counted as answered alone.
   ours.setup()
   if theirs.setup then theirs.setup(thread) end
   -- Whatever their setup has made of it.
   done = finish
end
done = finish
