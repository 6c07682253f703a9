// The AI SDK of Vercel: streamText with a tool.
import { createOpenAI } from "@ai-sdk/openai";
import { stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const callwright = createOpenAI({ baseURL: (process.env.CALLWRIGHT_URL ?? "http://127.0.0.1:8787") + "/v1", apiKey: "any" });
const result = streamText({
  model: callwright.chat(process.env.MODEL ?? "sim/kimi-sectionless"), // its special tokens leak into the text
  prompt: "What is the weather in Oslo?",
  tools: {
    get_weather: tool({
      description: "Reports the weather in a city.",
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => {
        console.log("tool:", city);
        return `3 degrees in ${city}`;
      },
    }),
  },
  stopWhen: stepCountIs(4),
});
console.log("answer:", await result.text);
