// node drive.mjs PACKAGES: reads a list of checks as JSON from standard input and writes a line of JSON for each: what an
// official SDK, found in the folder PACKAGES, made of the gateway's answers. What they should have been is not decided here.
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import anthropic from './anthropic.mjs';
import gemini from './gemini.mjs';
import ollama from './ollama.mjs';
import openai from './openai.mjs';
import responses from './responses.mjs';

const require = createRequire(`${process.argv[2]}/package.json`);
const sdks = {
  openai: openai(require('openai')),
  responses: responses(require('openai')),
  anthropic: anthropic(require('@anthropic-ai/sdk')),
  gemini: gemini(require('@google/genai')),
  ollama: ollama(require('ollama')),
};

const maxTurns = 5;

// The one tool there is. Its result names the city, so that a result can be told from another.
const temperature = { Oslo: 3, Paris: 12 };
const lookUp = (name, args) => `${temperature[JSON.parse(args).city] ?? 20} degrees in ${JSON.parse(args).city}`;

// converse asks, runs the tools that are called and gives their results back, the last one first, until none is called.
async function converse(talk, once) {
  const turns = [];
  while (turns.length < maxTurns) {
    const turn = await talk.ask();
    turns.push(turn);
    if (turn.calls.length === 0 || once) return turns;
    talk.tell(turn.calls.map((c) => ({ id: c.id, name: c.name, text: lookUp(c.name, c.arguments) })).reverse());
  }
  throw new Error(`tools were called in each of ${maxTurns} turns`);
}

// failure is what a program that uses the SDK can see of an error.
const failure = (e) => ({
  class: e.constructor.name,
  status: e.status ?? 0,
  message: String(e.message),
  code: e.code ?? e.error?.error?.type ?? '',
  retryAfter: e.headers?.get?.('retry-after') ?? '',
});

async function run(check) {
  const rounds = [];
  try {
    const sdk = sdks[check.sdk](check);
    if (check.raw) await sdk.send(check.raw);
    for (let i = 0; i < (check.rounds ?? 1); i++) rounds.push(await converse(sdk.open(), check.once));
    return { name: check.name, rounds };
  } catch (e) {
    return { name: check.name, rounds, error: failure(e) };
  }
}

for (const check of JSON.parse(await text(process.stdin))) console.log(JSON.stringify(await run(check)));
