// node drive.mjs: reads a list of checks as JSON from standard input and writes a line of JSON for each: what a client made of the
// conversation, and the calls for which it ran the tool. It stands beside node_modules. What the outcome should have been is not decided here.
import { text } from 'node:stream/consumers';
import * as agents from './agents.mjs';
import * as aisdk from './aisdk.mjs';
import * as sdks from './sdks.mjs';

const clients = { ...sdks.clients, ...aisdk.clients, ...agents.clients };
const limit = 20_000; // milliseconds of one check

// Some frameworks log to standard output, which has the outcomes alone.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
process.on('unhandledRejection', () => {});

async function run(check) {
  const calls = [];
  const look = (args) => {
    calls.push(JSON.stringify(args));
    return `${{ Oslo: 3 }[args.city] ?? 20} degrees in ${args.city}`;
  };
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`no end after ${limit} ms`)), limit); });
  try {
    const said = await Promise.race([clients[check.client]({ ...check, look }), late]);
    return { name: check.name, text: String(said ?? ''), calls };
  } catch (e) {
    return { name: check.name, calls, error: `${e?.constructor?.name}: ${e?.message} ${e?.cause?.message ?? ''} ${e?.rawMessage ?? ''}` };
  } finally {
    clearTimeout(timer);
  }
}

for (const check of JSON.parse(await text(process.stdin))) write(`${JSON.stringify(await run(check))}\n`);
process.exit(0); // some frameworks keep timers
