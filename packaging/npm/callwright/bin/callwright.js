#!/usr/bin/env node
// Runs the program of the platform in the place of this one, as far as Node can.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { program } = require("../index.cjs");

let path;
try {
  path = program();
} catch (error) {
  console.error("callwright: " + error.message);
  process.exit(1);
}
const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"].filter((name) => name in constants.signals);
for (const name of signals) {
  // A terminal sends SIGINT to both: the program alone decides when it ends.
  process.on(name, () => name === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(name));
}
child.on("error", (error) => {
  console.error("callwright: " + error.message);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
