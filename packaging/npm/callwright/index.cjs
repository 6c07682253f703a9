"use strict";

const { spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const readline = require("node:readline");

/** An error of this package: the program is not there, did not start, or refused its input. */
class CallwrightError extends Error {
  name = "CallwrightError";
}

/** program returns the path of the program: the one that CALLWRIGHT_PROGRAM names, else that of the package for this platform. */
function program() {
  if (process.env.CALLWRIGHT_PROGRAM) {
    return process.env.CALLWRIGHT_PROGRAM;
  }
  const name = `@callwright/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/bin/callwright${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    throw new CallwrightError(`${name} is not installed: install it beside callwright, without --omit=optional, or name the program by CALLWRIGHT_PROGRAM`);
  }
}

const logLines = 200;

/** A Gateway is one that runs in a process of its own, until stop or the end of this process. Made by start. */
class Gateway {
  #child;
  #config;
  #log = [];
  #exited;
  url = "";

  constructor(child, config) {
    this.#child = child;
    this.#config = config;
    this.#exited = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  }

  get openaiBaseURL() {
    return this.url + "/v1";
  }
  get anthropicBaseURL() {
    return this.url;
  }
  get geminiBaseURL() {
    return this.url;
  }
  get ollamaHost() {
    return this.url;
  }
  get pid() {
    return this.#child.pid;
  }
  get log() {
    return [...this.#log];
  }

  async report(id, key) {
    const headers = key === undefined ? {} : { authorization: "Bearer " + key };
    const answer = await fetch(`${this.url}/callwright/reports/${encodeURIComponent(id)}`, { headers });
    if (!answer.ok) {
      throw new CallwrightError(`report ${id}: ${answer.status} ${await answer.text()}`);
    }
    return answer.json();
  }

  async stop(timeout = 10_000) {
    this.#child.ref();
    this.#child.stdin.end(); // by which the gateway shuts down
    const late = setTimeout(() => this.#child.kill("SIGKILL"), timeout);
    await this.#exited;
    clearTimeout(late);
    this.#removeConfig();
  }

  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    await this.stop();
  }

  /** listen waits until the gateway takes requests. Nothing of it keeps this process running then. */
  async _listen(timeout) {
    const until = Date.now() + timeout;
    const failed = once(this.#child, "error").then(([error]) => error.message);
    const ended = this.#exited.then((status) => `it ended with ${status}`);
    const listens = new Promise((resolve) => {
      readline.createInterface({ input: this.#child.stderr }).on("line", (line) => {
        this.#log.push(line);
        if (this.#log.length > logLines) {
          this.#log.shift();
        }
        const found = /callwright listens on (https?:\/\/\S+)/.exec(line);
        if (found && this.url === "") {
          this.url = found[1];
          resolve();
        }
      });
    });
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(() => resolve("it did not say where it listens"), timeout)));
    let problem = await Promise.race([listens, failed, ended, late]);
    clearTimeout(timer);
    while (problem === undefined) {
      const last = await ready(this.url);
      if (last === undefined) {
        this.#child.unref();
        this.#child.stdin.unref?.();
        this.#child.stderr.unref?.();
        return this;
      }
      if (this.#child.exitCode !== null) {
        problem = `it ended with ${this.#child.exitCode}`;
      } else if (Date.now() > until) {
        problem = last;
      } else {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    this.#child.kill("SIGKILL");
    this.#removeConfig();
    throw new CallwrightError(`the gateway does not take requests: ${problem}\n${this.#log.join("\n")}`);
  }

  #removeConfig() {
    if (this.#config !== undefined) {
      fs.rmSync(this.#config, { force: true, recursive: true });
      this.#config = undefined;
    }
  }
}

/** ready returns undefined where a gateway takes requests, else why it does not. */
async function ready(url) {
  try {
    const answer = await fetch(url + "/readyz");
    const text = await answer.text();
    return answer.ok ? undefined : text.trim();
  } catch (error) {
    return String(error);
  }
}

/** start starts a gateway on a free port of this machine, and waits until it takes requests. */
async function start({ config, env, args = [], timeout = 30_000 } = {}) {
  const command = ["serve", "--listen", "127.0.0.1:0", "--log-format", "text", "--stop-with-stdin"];
  let folder;
  if (typeof config === "object") {
    const content = JSON.stringify(config);
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "callwright-"));
    config = path.join(folder, "callwright.json");
    fs.writeFileSync(config, content, { mode: 0o600 });
  }
  if (config !== undefined) {
    command.push("--config", config);
  }
  const child = spawn(program(), [...command, ...args], { stdio: ["pipe", "ignore", "pipe"], env: { ...process.env, ...env } });
  child.stdin.on("error", () => {}); // of a gateway that has ended
  return new Gateway(child, folder)._listen(timeout);
}

// The host of requests that go to a gateway whose address is not known yet. No machine is called so: RFC 2606.
const nowhere = "http://callwright.invalid";

/** createFetch returns a fetch that starts a gateway at the first request, and sends requests for callwright.invalid there. */
function createFetch({ onReport, ...options } = {}) {
  let started;
  return async function fetchFromGateway(input, init) {
    started ??= start(options);
    let gateway;
    try {
      gateway = await started;
    } catch (error) {
      started = undefined;
      throw error;
    }
    const isRequest = input instanceof Request;
    const asked = isRequest ? input.url : String(input);
    const url = asked.startsWith(nowhere + "/") ? gateway.url + asked.slice(nowhere.length) : asked;
    const answer = await fetch(isRequest ? new Request(url, input) : url, init);
    const header = answer.headers.get("callwright-report");
    if (onReport && header) {
      onReport(summaryOf(header), gateway);
    }
    return answer;
  };
}

/** summaryOf reads the header Callwright-Report. */
function summaryOf(header) {
  const members = Object.fromEntries(header.split(";").map((part) => part.trim().split("=")));
  return { ...members, attempts: Number(members.attempts), notes: Number(members.notes), untouched: members.untouched === "true" };
}

/** provider returns the settings of a client that speaks OpenAI's API and takes a fetch. */
function provider(options) {
  return { name: "callwright", baseURL: nowhere + "/v1", apiKey: "callwright", fetch: createFetch(options) };
}

/** parse reads the calls out of a text that a model printed. */
async function parse(text, members = {}) {
  const [parsed] = await parseBatch([{ text, ...members }]);
  if (parsed.error !== undefined) {
    throw new CallwrightError(parsed.error);
  }
  return parsed;
}

/** parseBatch reads calls out of many texts by one run of the program. */
async function parseBatch(items) {
  if (items.length === 0) {
    return [];
  }
  const child = spawn(program(), ["parse", "--batch"], { stdio: ["pipe", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of Object.keys(output)) {
    child[name].setEncoding("utf8").on("data", (piece) => (output[name] += piece));
  }
  child.stdin.on("error", () => {}); // the exit status says why
  child.stdin.end(items.map((item) => JSON.stringify(item) + "\n").join(""));
  await once(child, "close");
  const parsed = output.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  if (parsed.length !== items.length) {
    throw new CallwrightError(`callwright parse read ${parsed.length} of ${items.length} items: ${output.stderr.trim()}`);
  }
  return parsed;
}

module.exports = { CallwrightError, Gateway, createFetch, fetch: createFetch(), parse, parseBatch, program, provider, start };
