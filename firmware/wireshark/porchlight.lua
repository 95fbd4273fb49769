-- A dissector of the Porchlight device protocol, version 1, for Wireshark and tshark: captures of porchlight-sim (pcapng, link type USER0)
-- and TCP. docs/contract/device-protocol.md numbers the rules that are named here (F8, C4).
--
-- Copy it into the folder of personal Lua plugins (Help, About Wireshark, Folders), or: tshark -X lua_script:porchlight.lua -r board.pcapng
--
-- SPDX-License-Identifier: Apache-2.0

local END, ESC = 0xC0, 0xDB
local LIMIT = 4095 -- F7: the largest frame of all
local DEPTH = 8 -- C6

local TYPES = {
  [1] = "HELLO", [2] = "HELLO_ACK", [3] = "DESCRIBE", [4] = "DESCRIPTION", [5] = "READ", [6] = "VALUE", [7] = "WRITE", [8] = "WRITTEN",
  [9] = "REPORT", [10] = "ACK", [11] = "PING", [12] = "PONG", [13] = "ERROR", [14] = "CHANGED", [15] = "IDENTIFY", [16] = "WHO",
}
local CODES = {
  [1] = "unknown type", [2] = "malformed", [3] = "unknown device", [4] = "unknown service", [5] = "unknown property", [6] = "not readable",
  [7] = "not writable", [8] = "value rejected", [9] = "busy", [10] = "hardware failure", [11] = "version not supported", [12] = "not admitted",
}
-- The fields after type and seq (M3).
local ADDRESS = { "device", "service", "index", "property" }
local LAYOUT = {
  [3] = { "device", "part" },
  [4] = { "device", "part", "parts", "services", "about" },
  [5] = ADDRESS,
  [6] = { "value" },
  [7] = { "device", "service", "index", "property", "value" },
  [8] = { "value" },
  [9] = { "device", "service", "index", "property", "value" },
  [13] = { "code", "text" },
  [14] = { "devices" },
  [15] = { "device", "seconds" },
}
-- Keys of the map of HELLO and HELLO_ACK.
local KEYS = { v = "version", id = "id", boot = "boot", max = "max", win = "win", mf = "mf", mo = "mo", fw = "fw", sn = "sn",
  devices = "devices", hub = "hub", now = "now" }
-- Which answers belong to which requests; an ERROR is of any.
local REQUESTS = { [1] = true, [3] = true, [5] = true, [7] = true, [9] = true, [11] = true, [14] = true, [15] = true }
local ANSWERS = { [2] = true, [4] = true, [6] = true, [8] = true, [10] = true, [12] = true, [13] = true }

local porchlight = Proto("porchlight", "Porchlight device protocol")
local f = porchlight.fields
f.from = ProtoField.string("porchlight.from", "From")
f.type = ProtoField.uint32("porchlight.type", "Type", base.DEC, TYPES)
f.seq = ProtoField.uint32("porchlight.seq", "Seq")
f.device = ProtoField.uint32("porchlight.device", "Device")
f.service = ProtoField.string("porchlight.service", "Service")
f.index = ProtoField.uint32("porchlight.index", "Index")
f.property = ProtoField.string("porchlight.property", "Property")
f.value = ProtoField.string("porchlight.value", "Value")
f.part = ProtoField.uint32("porchlight.part", "Part")
f.parts = ProtoField.uint32("porchlight.parts", "Parts")
f.services = ProtoField.string("porchlight.services", "Services")
f.about = ProtoField.string("porchlight.about", "About")
f.code = ProtoField.uint32("porchlight.code", "Code", base.DEC, CODES)
f.text = ProtoField.string("porchlight.text", "Text")
f.devices = ProtoField.string("porchlight.devices", "Devices")
f.seconds = ProtoField.uint32("porchlight.seconds", "Seconds")
f.version = ProtoField.uint32("porchlight.version", "Version")
f.id = ProtoField.string("porchlight.id", "Node")
f.hub = ProtoField.string("porchlight.hub", "Hub")
f.now = ProtoField.uint32("porchlight.now", "Unix time of the hub")
f.boot = ProtoField.uint32("porchlight.boot", "Boot")
f.max = ProtoField.uint32("porchlight.max", "Largest frame")
f.win = ProtoField.uint32("porchlight.win", "Requests at once")
f.mf = ProtoField.string("porchlight.mf", "Manufacturer")
f.mo = ProtoField.string("porchlight.mo", "Model")
f.fw = ProtoField.string("porchlight.fw", "Firmware")
f.sn = ProtoField.string("porchlight.sn", "Serial number")
f.crc = ProtoField.uint16("porchlight.crc", "CRC", base.HEX)
f.answers = ProtoField.framenum("porchlight.answers", "Answer to the request in", base.NONE, frametype.REQUEST)
f.time = ProtoField.double("porchlight.time", "Time since the request, ms")
f.repeats = ProtoField.framenum("porchlight.repeats", "Sent again; first in", base.NONE)
f.damage = ProtoField.string("porchlight.damage", "Damage")

local damaged = ProtoExpert.new("porchlight.damaged", "Damage", expert.group.MALFORMED, expert.severity.ERROR)
local refused = ProtoExpert.new("porchlight.refused", "ERROR", expert.group.RESPONSE_CODE, expert.severity.WARN)
local again = ProtoExpert.new("porchlight.again", "Sent again", expert.group.SEQUENCE, expert.severity.NOTE)
porchlight.experts = { damaged, refused, again }
porchlight.prefs.ports = Pref.range("TCP ports", "", "Ports of nodes; frames with a good CRC are recognised on other ports too", 65535)

local interface = Field.new("frame.interface_id")

-- The CRC of F2.
local function crc_of(bytes, length)
  local crc = 0xFFFF
  for at = 0, length - 1 do
    crc = bit.bxor(crc, bit.lshift(bytes:get_index(at), 8))
    for _ = 1, 8 do
      local shifted = bit.band(bit.lshift(crc, 1), 0xFFFF)
      crc = bit.band(crc, 0x8000) ~= 0 and bit.bxor(shifted, 0x1021) or shifted
    end
  end
  return crc
end

-- What stood between two ENDs, unescaped; nothing and the reason when an escape is bad (F3, F6).
local function unescaped(tvb, from, to)
  local bytes = tvb:range(from, to - from):bytes()
  local plain, length = ByteArray.new(), 0
  plain:set_size(to - from)
  local at = 0
  while at < to - from do
    local byte = bytes:get_index(at)
    if byte == ESC then
      at = at + 1
      local after = at < to - from and bytes:get_index(at) or END
      if after ~= 0xDC and after ~= 0xDD then return nil, "F6: an escape before neither DC nor DD" end
      byte = after == 0xDC and END or ESC
    end
    plain:set_index(length, byte)
    length = length + 1
    at = at + 1
  end
  plain:set_size(length)
  return plain
end

-- JSON of a text, so that a quote in it is no end.
local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(c)
    return (c == '"' or c == "\\") and "\\" .. c or string.format("\\u%04x", c:byte())
  end) .. '"'
end

local function half(bits)
  local sign = bits >= 0x8000 and -1 or 1
  local exponent, fraction = bit.band(bit.rshift(bits, 10), 31), bit.band(bits, 0x3FF)
  if exponent == 31 then error("C4: NaN or infinity", 0) end
  if exponent == 0 then return sign * fraction * 2 ^ -24 end
  return sign * (1 + fraction / 1024) * 2 ^ (exponent - 15)
end

-- A number as JSON writes it: whole ones without a point.
local function number_text(number)
  if number == math.floor(number) and math.abs(number) < 2 ^ 53 then return string.format("%.0f", number) end
  local short = string.format("%.7g", number)
  if tonumber(short) == number then return short end
  return string.format("%.17g", number)
end

-- The item of CBOR at a place (section 3): {at, length, text (JSON), value, items (of an array), map}. An error says what is wrong.
local function item(tvb, at, depth)
  local function need(count)
    if at + count > tvb:len() then error("C8: an item is longer than the frame", 0) end
  end
  need(1)
  local first = tvb:range(at, 1):uint()
  local major, info = math.floor(first / 32), first % 32
  local head, argument = 1, info
  if info >= 28 then error("C4: an indefinite length, or no CBOR", 0) end
  if info >= 24 then
    local width = 2 ^ (info - 24)
    need(1 + width)
    local range = tvb:range(at + 1, width)
    argument = width == 8 and range:range(0, 4):uint() * 2 ^ 32 + range:range(4, 4):uint() or range:uint()
    head = 1 + width
  end
  local made = { at = at, length = head }
  if major == 0 or major == 1 then
    made.value = major == 0 and argument or -1 - argument
    if math.abs(made.value) >= 2 ^ 53 then error("C2: an integer beyond 2^53-1", 0) end
    made.text = number_text(made.value)
  elseif major == 3 then
    need(head + argument)
    made.length = head + argument
    made.value = argument == 0 and "" or tvb:range(at + head, argument):string(ENC_UTF_8)
    made.text = quoted(made.value)
  elseif major == 4 or major == 5 then
    if depth >= DEPTH then error("C6: more than 8 levels", 0) end
    local texts, next_at = {}, at + head
    made.items, made.map = {}, major == 5 and {} or nil
    for _ = 1, argument do
      local one = item(tvb, next_at, depth + 1)
      next_at = one.at + one.length
      if major == 4 then
        table.insert(made.items, one)
        table.insert(texts, one.text)
      else
        if type(one.value) ~= "string" then error("C3: a key that is no text", 0) end
        if made.map[one.value] then error("C7: a key twice", 0) end
        local held = item(tvb, next_at, depth + 1)
        next_at = held.at + held.length
        made.map[one.value] = held
        table.insert(texts, one.text .. ":" .. held.text)
      end
    end
    made.length = next_at - at
    made.text = (major == 4 and "[" or "{") .. table.concat(texts, ",") .. (major == 4 and "]" or "}")
  elseif first == 0xF4 or first == 0xF5 then
    made.value, made.text = first == 0xF5, first == 0xF5 and "true" or "false"
  elseif first == 0xF6 then
    made.text = "null"
  elseif first == 0xF9 or first == 0xFA or first == 0xFB then
    local number = first == 0xF9 and half(argument) or tvb:range(at + 1, head - 1):float()
    if number ~= number or number == math.huge or number == -math.huge then error("C4: NaN or infinity", 0) end
    made.value, made.text = number, number_text(number)
  else
    error("C4: a tag, a byte string or a simple value", 0)
  end
  return made
end

local function is_unsigned(value)
  return type(value) == "number" and value >= 0 and value == math.floor(value) and value < 2 ^ 32
end

local NUMBERS = { device = true, index = true, part = true, parts = true, code = true, seconds = true, version = true, boot = true, max = true,
  win = true, now = true }

-- A field of a message, as a number where the protocol has one.
local function show(tree, name, tvb, one)
  local range = tvb:range(one.at, one.length)
  if not NUMBERS[name] then
    local is_text = type(one.value) == "string" and name ~= "value"
    tree:add(f[name], range, is_text and one.value or one.text)
  elseif is_unsigned(one.value) then
    tree:add(f[name], range, one.value)
  else
    return false
  end
  return true
end

-- Requests by line, sender and seq: the number and the time of the first frame; answers and repetitions by the number of their frame.
local asked, found = {}, {}
function porchlight.init()
  asked, found = {}, {}
end

local function relate(pinfo, tree, kind, seq, sender, line)
  local here = pinfo.number .. " " .. kind .. " " .. seq
  if not pinfo.visited then
    if REQUESTS[kind] then
      local key = line .. " " .. sender .. " " .. seq
      local first = asked[key]
      if first and first.kind == kind and not first.is_answered then
        found[here] = { repeats = first.number }
      else
        asked[key] = { kind = kind, number = pinfo.number, time = pinfo.rel_ts }
      end
    elseif ANSWERS[kind] then
      local other = sender == "hub" and "node" or sender == "node" and "hub" or sender:gsub("(.*) > (.*)", "%2 > %1")
      local request = asked[line .. " " .. other .. " " .. seq]
      if request then
        request.is_answered = true
        found[here] = { answers = request.number, time = math.floor(1e6 * (pinfo.rel_ts - request.time) + 0.5) / 1000 }
      end
    end
  end
  local known = found[here]
  if not known then return end
  if known.answers then
    tree:add(f.answers, known.answers):set_generated()
    tree:add(f.time, known.time):set_generated()
  else
    tree:add(f.repeats, known.repeats):set_generated()
    tree:add_proto_expert_info(again)
  end
end

-- A message in words; nothing and the reason when it is none.
local function message(body, tree, pinfo, sender, line)
  local is_item, whole = pcall(item, body, 0, 0)
  if not is_item then return nil, tostring(whole) end
  if whole.length ~= body:len() then return nil, "F9: there are bytes after the CBOR item" end
  local items = whole.items
  local kind, seq = items and items[1], items and items[2]
  if not (kind and seq and is_unsigned(kind.value) and is_unsigned(seq.value) and seq.value <= 65535) then
    return nil, "W1: no array that begins with a type and a seq of at most 65535"
  end
  tree:add(f.type, body:range(kind.at, kind.length), kind.value)
  tree:add(f.seq, body:range(seq.at, seq.length), seq.value)
  local name = TYPES[kind.value]
  if not name then return nil, "W2: there is no message of type " .. kind.text end
  local words = name .. " " .. seq.text
  for at, field in ipairs(LAYOUT[kind.value] or {}) do
    local one = items[at + 2]
    local is_left_out = field == "about"
    if not one and not is_left_out then return nil, "W3: " .. name .. " without " .. field end
    if one and not show(tree, field, body, one) then return nil, "W3: " .. field .. " of " .. name .. " is " .. one.text end
  end
  if kind.value <= 2 then
    local map = items[3] and items[3].map
    if not map then return nil, "M6: " .. name .. " without its map" end
    for key, one in pairs(map) do
      if KEYS[key] and not show(tree, KEYS[key], body, one) then return nil, "M6: " .. key .. " of " .. name .. " is " .. one.text end
    end
    local id = map[kind.value == 1 and "id" or "hub"]
    if id then words = words .. ", " .. tostring(id.value) end
  elseif LAYOUT[kind.value] == ADDRESS or (LAYOUT[kind.value] and #LAYOUT[kind.value] == 5 and kind.value ~= 4) then
    words = words .. string.format(", device %s, %s %s %s", items[3].text, tostring(items[4].value), items[5].text, tostring(items[6].value))
    if items[7] and kind.value ~= 5 then words = words .. ": " .. items[7].text end
  elseif kind.value == 6 or kind.value == 8 then
    words = words .. ": " .. items[3].text
  elseif kind.value == 13 then
    words = words .. string.format(", code %s %s: %s", items[3].text, CODES[items[3].value] or "unknown code", items[4].text)
    tree:add_proto_expert_info(refused, CODES[items[3].value] or "ERROR " .. items[3].text)
  elseif kind.value == 3 or kind.value == 4 then
    words = words .. string.format(", device %s, part %s", items[3].text, items[4].text)
  elseif kind.value == 15 then
    words = words .. string.format(", device %s, %s s", items[3].text, items[4].text)
  elseif kind.value == 14 then
    words = words .. ", devices " .. items[3].text
  end
  relate(pinfo, tree, kind.value, seq.value, sender, line)
  return words
end

-- One frame, with the ENDs that it has; gives it in words.
local function frame(tvb, from, to, is_begun, is_ended, tree, pinfo, sender, line)
  local first, last = is_begun and from - 1 or from, is_ended and to + 1 or to
  local branch = tree:add(porchlight, tvb:range(first, last - first))
  if sender == "hub" or sender == "node" then branch:add(f.from, sender):set_generated() end
  local function wrong(what)
    branch:add(f.damage, what):set_generated()
    branch:add_proto_expert_info(damaged, what)
    return "! " .. what
  end
  if not is_ended then return wrong("F4: the frame is not ended") end
  local plain, reason = unescaped(tvb, from, to)
  if not plain then return wrong(reason) end
  if plain:len() < 3 then return wrong("F8: fewer than three bytes") end
  if plain:len() > LIMIT then return wrong("F7: more than " .. LIMIT .. " bytes") end
  local body_length = plain:len() - 2
  local body = plain:tvb("Frame, unescaped")
  local crc, right = body:range(body_length, 2):uint(), crc_of(plain, body_length)
  branch:add(f.crc, body:range(body_length, 2))
  if crc ~= right then return wrong(string.format("F8: bad CRC: it is %04X, and of this body %04X", crc, right)) end
  local words, problem = message(body:range(0, body_length):tvb(), branch, pinfo, sender, line)
  if not words then return wrong(problem) end
  branch:append_text(", " .. words)
  if not is_begun then return words .. " " .. wrong("F4: the frame is not begun with END") end
  return words
end

-- All frames of a packet. @return the place from which bytes are missing, or nothing
local function frames(tvb, tree, pinfo, sender, line, can_wait)
  local all, bytes = {}, tvb:bytes()
  local at, is_begun = 0, false
  while at < tvb:len() do
    if bytes:get_index(at) == END then
      at, is_begun = at + 1, true
    else
      local to = at
      while to < tvb:len() and bytes:get_index(to) ~= END do to = to + 1 end
      if to == tvb:len() and can_wait and to - at <= 2 * LIMIT then
        pinfo.cols.info = table.concat(all, "; ")
        return is_begun and at - 1 or at
      end
      table.insert(all, frame(tvb, at, to, is_begun, to < tvb:len(), tree, pinfo, sender, line))
      at = to
      is_begun = false
    end
  end
  pinfo.cols.info = table.concat(all, "; ")
end

function porchlight.dissector(tvb, pinfo, tree)
  pinfo.cols.protocol = "Porchlight"
  if pinfo.port_type == 2 then
    local ends = { tostring(pinfo.src) .. ":" .. pinfo.src_port, tostring(pinfo.dst) .. ":" .. pinfo.dst_port }
    local line = ends[1] < ends[2] and ends[1] .. " " .. ends[2] or ends[2] .. " " .. ends[1]
    local missing = frames(tvb, tree, pinfo, ends[1] .. " > " .. ends[2], line, pinfo.can_desegment > 0)
    if missing then
      pinfo.desegment_offset, pinfo.desegment_len = missing, DESEGMENT_ONE_MORE_SEGMENT
    end
    return
  end
  -- As porchlight-sim writes it: of the interface of a hub, what goes out is the hub's.
  local sender = ({ [P2P_DIR_SENT] = "hub", [P2P_DIR_RECV] = "node" })[pinfo.p2p_dir] or "unknown"
  local number = interface()
  if sender ~= "unknown" then
    pinfo.cols.src = sender
    pinfo.cols.dst = sender == "hub" and "node" or "hub"
  end
  frames(tvb, tree, pinfo, sender, tostring(number and number.value or 0), false)
end

-- Whether a segment begins with a whole frame and a good CRC.
local function looks_like_it(tvb)
  if tvb:len() < 6 or tvb:range(0, 1):uint() ~= END then return false end
  local bytes = tvb:bytes()
  local from = 1
  while from < tvb:len() and bytes:get_index(from) == END do from = from + 1 end
  local to = from
  while to < tvb:len() and bytes:get_index(to) ~= END do to = to + 1 end
  if to == tvb:len() then return false end
  local plain = unescaped(tvb, from, to)
  if not plain or plain:len() < 5 or plain:len() > LIMIT then return false end
  local length = plain:len() - 2
  return crc_of(plain, length) == plain:get_index(length) * 256 + plain:get_index(length + 1)
end

local function recognise(tvb, pinfo, tree)
  if not looks_like_it(tvb) then return false end
  pinfo.conversation = porchlight
  porchlight.dissector(tvb, pinfo, tree)
  return true
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, porchlight)
porchlight:register_heuristic("tcp", recognise)
porchlight:register_heuristic("tls", recognise)
DissectorTable.get("tcp.port"):add_for_decode_as(porchlight)

local ports = ""
function porchlight.prefs_changed()
  local table_of_ports = DissectorTable.get("tcp.port")
  if ports ~= "" then table_of_ports:remove(ports, porchlight) end
  ports = porchlight.prefs.ports
  if ports ~= "" then table_of_ports:add(ports, porchlight) end
end
