"""The table of an export as its script sees it: piles that give cards, and who sits where."""

from __future__ import annotations

from typing import Any

import lupa

from cardgen.exports.tts_objects import memo_of

MOCK = """
local log = {}
objects, Player, hands, said = {}, {}, {}, {}
function getObjects() return objects end
function broadcastToAll(text) table.insert(said, text) end
function add(memo, count, state)
  local each = {memo = memo, cards = {}, state = ""}
  for number = 1, count do each.cards[number] = number end
  each.shuffle = function() each.shuffled = true end
  each.getQuantity = function() return #each.cards end
  each.deal = function(number, color)
    hands[color] = (hands[color] or 0) + number
    for _ = 1, number do table.remove(each.cards) end
  end
  each.takeObject = function(wish)
    table.remove(each.cards)
    each.taken = each.taken or {}
    table.insert(each.taken, wish)
    if #each.cards == 1 then
      each.remainder = {setPosition = function(at) each.last = at end, setRotation = function() end}
    end
  end
  each.destruct = function() each.gone = true end
  table.insert(objects, each)
  return each
end
function sit(...)
  local nobody = {__index = function() return {seated = false} end}
  setmetatable(Player, nobody)
  for _, color in ipairs({...}) do Player[color] = {seated = true} end
end
self = {
  buttons = 0,
  createButton = function(button) self.buttons = self.buttons + 1; self.name = button.click_function end,
  clearButtons = function() self.buttons = 0 end,
}
"""


class Mock:
    """The table of an export as its script sees it."""

    def __init__(self, save: dict[str, Any], *seated: str) -> None:
        self.lua = lupa.LuaRuntime(unpack_returned_tuples=True)
        self.lua.execute(MOCK)
        self.things: dict[str, Any] = {}
        for each in save["ObjectStates"]:
            memo = memo_of(each)
            assert memo is not None
            add = self.lua.globals().add
            self.things[memo.identity] = add(each["Memo"], len(each.get("ContainedObjects", ())), "")
        self.lua.globals().sit(*seated)
        (button,) = (each for each in save["ObjectStates"] if each["Name"] == "BlockSquare")
        self.lua.execute(button["LuaScript"])
        self.lua.globals().onLoad("")

    def press(self) -> None:
        own = self.lua.globals()
        assert own["self"].buttons == 1
        own[own["self"].name](None, "Red")

    @property
    def hands(self) -> dict[str, int]:
        return dict(self.lua.globals().hands)

    @property
    def said(self) -> list[str]:
        return list(self.lua.globals().said.values())
