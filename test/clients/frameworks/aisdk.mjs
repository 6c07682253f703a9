// Providers of the AI SDK that have packages of their own, and a framework that is built on it.
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createXai } from '@ai-sdk/xai';
import { Agent, createTool } from '@voltagent/core';
import { z } from 'zod';

const options = ({ base }) => ({ baseURL: `${base}/v1`, apiKey: 'any' });

const via = (model) => async (check) => {
  const request = {
    model: model(check), system: 'Be brief.', prompt: check.prompt, stopWhen: stepCountIs(4), maxRetries: 0,
    tools: { get_weather: tool({ description: 'The weather in a city', inputSchema: jsonSchema(check.schema), execute: async (args) => check.look(args) }) },
  };
  if (!check.stream) return (await generateText(request)).text;
  let failed;
  const result = streamText({ ...request, onError: ({ error }) => { failed = error; } });
  for await (const part of result.fullStream) if (part.type === 'error') failed = part.error;
  if (failed) throw failed;
  return result.text;
};

const volt = (model) => async (check) => {
  const agent = new Agent({
    name: 'weather', instructions: 'Be brief.', model: model(check), maxRetries: 0, maxSteps: 4,
    tools: [createTool({ name: 'get_weather', description: 'The weather in a city', parameters: z.object({ city: z.string() }), execute: async (args) => check.look(args) })],
  });
  if (!check.stream) return (await agent.generateText(check.prompt)).text;
  const result = await agent.streamText(check.prompt);
  for await (const part of result.fullStream) if (part.type === 'error') throw part.error;
  return result.text;
};

export const clients = {
  'aisdk-xai': via((c) => createXai(options(c))(c.model)),
  'aisdk-xai-responses': via((c) => createXai(options(c)).responses(c.model)),
  'aisdk-mistral': via((c) => createMistral(options(c))(c.model)),
  voltagent: volt((c) => createOpenAI(options(c)).chat(c.model)),
  'voltagent-responses': volt((c) => createOpenAI(options(c))(c.model)),
};
