-- Sets up {{ title }}. Written by cardgen from {{ file }}: change it there,
-- for the next export writes this script anew.
local seats = { {{- seats -}} }
local belongings = { {{- belongings -}} }

local function find(what)
  for _, each in ipairs(getObjects()) do
    if string.find(each.memo or "", what, 1, true) then return each end
  end
end

local function playing()
  local colors = {}
  for _, color in ipairs(seats) do
    if Player[color].seated then table.insert(colors, color) end
  end
  return colors
end

local function shuffle(what)
  local pile = find(what)
  if pile then pile.shuffle() end
end

local function deal(what, cards, colors)
  local pile = find(what)
  if not pile or pile.getQuantity() < cards * #colors then
    broadcastToAll("There are too few cards to deal.")
    return
  end
  for _, color in ipairs(colors) do pile.deal(cards, color) end
end

local function place(what, cards, from, step, turn)
  local pile = find(what)
  for number = 0, cards - 1 do
    if not pile then return end
    local last = pile.remainder
    local where = {from[1] + number * step[1], from[2], from[3] + number * step[2]}
    if last then
      last.setPosition(where)
      last.setRotation(turn)
      return
    end
    pile.takeObject({position = where, rotation = turn, smooth = false})
  end
end

local function clear()
  for _, color in ipairs(seats) do
    if not Player[color].seated then
      for _, what in ipairs(belongings[color] or {}) do
        for _, each in ipairs(getObjects()) do
          if string.find(each.memo or "", what, 1, true) then each.destruct() end
        end
      end
    end
  end
end

function setUp(_, clicked)
  local colors = playing()
  local players = #colors
  if players == 0 then
    broadcastToAll("Nobody sits at the table.")
    return
  end
{{ steps }}
  done = true
  self.clearButtons()
end

function onLoad(state)
  done = state == "done"
  if not done then
    self.createButton({
      click_function = "setUp", function_owner = self, label = "Set up",
      position = {0, 0.6, 0}, width = 900, height = 450, font_size = 200,
      tooltip = "Sets the table up for those who sit at it",
    })
  end
end

function onSave()
  return done and "done" or ""
end
