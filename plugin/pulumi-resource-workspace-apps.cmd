@echo off
node "%~dp0pulumi-resource-workspace-apps" %*
