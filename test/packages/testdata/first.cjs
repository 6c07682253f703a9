// The same with require.
const { start } = require("callwright");

(async () => {
  const gateway = await start({ config: { providers: { sim: {} } } });
  const answer = await fetch(gateway.openaiBaseURL + "/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "sim/hermes-unclosed",
      messages: [{ role: "user", content: "What is the weather in Oslo?" }],
      tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } } }],
    }),
  });
  const call = (await answer.json()).choices[0].message.tool_calls[0].function;
  await gateway.stop();
  console.log(JSON.stringify({ name: call.name, arguments: JSON.parse(call.arguments) }));
})();
