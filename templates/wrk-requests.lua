-- Requests that differ, each as it goes over the wire, and the order in which they are sent. In a file of numbers of 32 bits, and the
-- requests one behind the other:
--
--     number of requests, number of places, where each request begins and the last one ends, request of each place, requests
local ffi = require("ffi")
local file = assert(io.open(__REQUESTS_PATH__, "rb"))
local content = file:read("*a")
file:close()
local numbers = ffi.cast("const uint32_t *", content)
local requests, places = numbers[0], numbers[1]
local begins = numbers + 2
local bytes = ffi.cast("const char *", begins + requests + 1 + places)
local order = {}
for place = 0, places - 1 do order[place] = begins[requests + 1 + place] end

-- Made into strings of Lua when they are first sent: of 100,000 a short trial sends a part, and threads begin their load as soon as they
-- have read this script.
local made = {}

-- In each thread: the place that it begins at, and how many requests it was asked for.
first, asked = 0, 0
function request()
   local index = order[(first + asked) % places]
   asked = asked + 1
   local text = made[index]
   if not text then
      text = ffi.string(bytes + begins[index], begins[index + 1] - begins[index])
      made[index] = text
   end
   return text
end

local threads = {}

-- Threads begin at places of their own, since all of them would ask for the same at the same time.
local function begin(thread)
   -- A script of the user's own keeps its threads to itself.
   if not thread then return end
   threads[#threads + 1] = thread
   thread:set("first", math.floor(places * (#threads - 1) / __THREADS__))
   -- wrk asks its first thread for a request before any load, to see whether it is one.
   thread:set("asked", #threads == 1 and -1 or 0)
end

local function askedOfAll()
   local sum = 0
   for _, thread in ipairs(threads) do sum = sum + thread:get("asked") end
   return sum
end
