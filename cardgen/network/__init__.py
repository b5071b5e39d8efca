"""The one way to the network, for the commands that use it: a file from a public https address, and forms
sent to the one service that is named here.

An address may come from a stranger's pack, and must not be a way to what only this machine can reach. So
every address on the way is https with a checked certificate, resolves to public addresses alone, and the
connection goes to the very address that was looked at; what comes is bounded in size and in time.

What is secret (keys, passwords) goes to addresses that stand in this package alone, never to one from a
file, and no redirect is followed with it.
"""
