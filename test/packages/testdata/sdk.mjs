// The Vercel AI SDK with the settings of the npm package.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, tool } from "ai";
import { provider } from "callwright";

let reports = 0;
const callwright = createOpenAICompatible(provider({ config: { providers: { sim: {} } }, onReport: () => reports++ }));
const { toolCalls } = await generateText({
  model: callwright("sim/hermes-unclosed"),
  prompt: "What is the weather in Oslo?",
  tools: {
    get_weather: tool({ inputSchema: jsonSchema({ type: "object", properties: { city: { type: "string" } }, required: ["city"] }) }),
  },
});
console.log(toolCalls[0].toolName, JSON.stringify(toolCalls[0].input), reports, "report");
