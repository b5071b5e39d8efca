"""Files as they are kept: whole or not at all, together or not at all, in turns, proved when read.

files.py    one file, in place of another
changes.py  several files of one folder, all of them or none
locks.py    who may change a folder
reading.py  one file of a project: regular, within the project, under a stated size
walking.py  folders: listed or walked once, bounded, never out of the project
outputs.py  where results may be written
folders.py  the user's own folders
trees.py    folders of files that never change, in the user's cache
cache.py    what can be made again, in the user's cache folder
"""
