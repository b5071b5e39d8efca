@echo off
rem Opens the start page of cardgen for the folder Games.
set "PATH=%USERPROFILE%\.local\bin;%PATH%"
if not exist "%USERPROFILE%\Games" mkdir "%USERPROFILE%\Games"
cd /d "%USERPROFILE%\Games"
cardgen preview --open
