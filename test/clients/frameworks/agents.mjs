// Frameworks that run the loop of an agent themselves.
import { Gemini, FunctionTool, InMemoryRunner, LlmAgent, StreamingMode } from '@google/adk';
import { tool as langTool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { callModel, OpenRouter, tool as routerTool } from '@openrouter/agent';
import { Agent, tool as strandsTool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { z } from 'zod';

const key = 'any';
const name = 'get_weather';
const description = 'The weather in a city';
const parameters = z.object({ city: z.string() });

const openrouterAgent = async (check) => {
  const api = new OpenRouter({ apiKey: key, serverURL: `${check.base}/v1`, retryConfig: { strategy: 'none' } });
  const result = callModel(api, {
    model: check.model, input: check.prompt, instructions: 'Be brief.',
    tools: [routerTool({ name, description, inputSchema: parameters, execute: async (args) => check.look(args) })],
  });
  if (!check.stream) return result.getText();
  let text = '';
  for await (const delta of result.getTextStream()) text += delta;
  return text;
};

const langgraph = (useResponsesApi) => async (check) => {
  const llm = new ChatOpenAI({ model: check.model, apiKey: key, maxRetries: 0, useResponsesApi, streaming: check.stream, configuration: { baseURL: `${check.base}/v1` } });
  const agent = createReactAgent({ llm, tools: [langTool(async (args) => check.look(args), { name, description, schema: parameters })] });
  const input = { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: check.prompt }] };
  if (!check.stream) return (await agent.invoke(input, { recursionLimit: 8 })).messages.at(-1).text;
  let text = '';
  for await (const [chunk, meta] of await agent.stream(input, { streamMode: 'messages', recursionLimit: 8 })) {
    if (meta.langgraph_node === 'agent') text += chunk.text;
  }
  return text;
};

// Strands always asks for a stream. Its own two ways of reading an agent are whole and streamed.
const strands = (api) => async (check) => {
  const model = new OpenAIModel({ api, modelId: check.model, apiKey: key, clientConfig: { baseURL: `${check.base}/v1`, maxRetries: 0 } });
  const agent = new Agent({
    model, systemPrompt: 'Be brief.', printer: false, retryStrategy: null,
    tools: [strandsTool({ name, description, inputSchema: parameters, callback: (args) => check.look(args) })],
  });
  const textOf = (result) => result.lastMessage.content.map((b) => b.text ?? '').join('');
  if (!check.stream) return textOf(await agent.invoke(check.prompt));
  const events = agent.stream(check.prompt);
  for (;;) {
    const { done, value } = await events.next();
    if (done) return textOf(value);
  }
};

// The ADK reads the address of the server from the environment.
const adk = async (check) => {
  process.env.GOOGLE_GEMINI_BASE_URL = check.base;
  const agent = new LlmAgent({
    name: 'weather', model: new Gemini({ model: check.model, apiKey: key }), instruction: 'Be brief.',
    tools: [new FunctionTool({ name, description, parameters, execute: async (args) => ({ result: check.look(args) }) })],
  });
  let text = '';
  for await (const event of new InMemoryRunner({ agent }).runEphemeral({
    userId: 'user', newMessage: { role: 'user', parts: [{ text: check.prompt }] },
    runConfig: { streamingMode: check.stream ? StreamingMode.SSE : StreamingMode.NONE, maxLlmCalls: 4 },
  })) {
    if (event.errorCode) throw new Error(`${event.errorCode}: ${event.errorMessage}`);
    if (!event.partial) for (const part of event.content?.parts ?? []) text += part.thought ? '' : part.text ?? '';
  }
  return text;
};

export const clients = {
  'openrouter-agent': openrouterAgent,
  langgraph: langgraph(false),
  'langgraph-responses': langgraph(true),
  strands: strands('chat'),
  'strands-responses': strands('responses'),
  adk,
};
