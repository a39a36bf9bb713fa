-- Each request is `before`, a value, `after`. Values are walked through, or each connection (then one a thread) starts
-- with its own and takes the next out of the answer. Arguments: file of before, of after, of values, threads, member.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

local function read(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

function init(arguments)
  before, after = read(arguments[1]), read(arguments[2])
  local count, pattern = tonumber(arguments[4]), arguments[5] and '"' .. arguments[5] .. '":%s*"([^"]+)"'
  local values, place = {}, 0
  for value in io.lines(arguments[3]) do
    -- Where there are fewer values than threads, the rest share the first one.
    if place % count == number or place == 0 then values[#values + 1] = value end
    place = place + 1
  end
  if #values > 1 and number > 0 then table.remove(values, 1) end
  if pattern then
    local value = values[1]
    request = function() return before .. value .. after end
    response = function(status, headers, body) value = body:match(pattern) or value end
  else
    local last = 0
    request = function()
      last = last % #values + 1
      return before .. values[last] .. after
    end
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  local unanswered = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("RESULT %d %d %d %f %d %d\n", summary.requests, errors.status, unanswered,
    summary.duration / 1e6, latency:percentile(50), latency:percentile(99)))
end
