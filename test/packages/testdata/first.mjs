// The first minute of a program with the npm package.
import assert from "node:assert/strict";
import { CallwrightError, fetch as fetchFromGateway, parse, parseBatch, provider, start } from "callwright";

const question = {
  model: "sim/hermes-unclosed",
  messages: [{ role: "user", content: "What is the weather in Oslo?" }],
  tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } } }],
};

const gateway = await start({ config: { providers: { sim: {} } } });
const answer = await fetch(gateway.openaiBaseURL + "/chat/completions", {
  method: "POST",
  headers: { "content-type": "application/json", "callwright-report": "body" },
  body: JSON.stringify(question),
});
const body = await answer.json();
assert.deepEqual(await gateway.report(body.callwright.id), body.callwright);
await gateway.stop();

await assert.rejects(start({ config: { providers: { nobody: {} } } }), (error) => error instanceof CallwrightError && /nobody/.test(error.message));

const seen = [];
const settings = provider({ config: { providers: { sim: {} } }, onReport: (report) => seen.push(report) });
for (const input of [settings.baseURL + "/chat/completions", new URL(settings.baseURL + "/chat/completions")]) {
  const again = await settings.fetch(input, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question) });
  assert.equal(again.status, 200);
}
assert.equal((await settings.fetch(new Request(settings.baseURL + "/models"))).status, 200);
assert.equal(seen.length, 2);
assert.ok(seen[0].attempts === 1 && seen[0].notes > 0 && seen[0].untouched === false && seen[0].id.startsWith("rep_"), JSON.stringify(seen[0]));
assert.equal(typeof fetchFromGateway, "function");

assert.equal((await parseBatch([{ text: "Hello" }, {}]))[1].error.length > 0, true);
const parsed = await parse('<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo",}}</tool_call>', { tools: question.tools });
console.log(JSON.stringify(parsed.calls[0])); // the gateway of the settings still runs, and ends with the program
