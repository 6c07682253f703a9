// The OpenAI SDK over the Responses API, streamed: a loop that runs a function as a tool until the model has answered.
import OpenAI from "openai";

const client = new OpenAI({ baseURL: (process.env.CALLWRIGHT_URL ?? "http://127.0.0.1:8787") + "/v1", apiKey: "any" });
const model = process.env.MODEL ?? "sim/index-all0"; // its parallel calls stream under one index
const getWeather = ({ city }) => `3 degrees in ${city}`;
const tools = [{
  type: "function", name: "get_weather", description: "Reports the weather in a city.", strict: false,
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
}];

const input = [{ role: "user", content: "What is the weather in Oslo and Paris?" }];
for (;;) {
  const response = await client.responses.stream({ model, input, tools }).finalResponse();
  input.push(...response.output);
  const calls = response.output.filter((item) => item.type === "function_call");
  if (calls.length === 0) {
    console.log("answer:", response.output_text);
    break;
  }
  for (const call of calls) {
    console.log("tool:", call.name, call.arguments);
    input.push({ type: "function_call_output", call_id: call.call_id, output: getWeather(JSON.parse(call.arguments)) });
  }
}
