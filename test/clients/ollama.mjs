// Ollama's SDK. A client is opened for a check and gives conversations. The API has no tool choice and no ids in its types.
export default ({ Ollama }) => (check) => {
  const api = new Ollama({ host: check.base, headers: { authorization: `Bearer ${check.key}` } });
  const tool = { type: 'function', function: { name: 'get_weather', description: 'The weather in a city', parameters: check.schema } };

  const open = () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: check.prompt }];
    const request = { model: check.model, messages, tools: [tool], ...check.members };
    return {
      ask: async () => {
        const message = { role: 'assistant', content: '' };
        let pieces = 0;
        let last;
        const take = (answer) => {
          message.content += answer.message.content;
          pieces += answer.message.content ? 1 : 0;
          if (answer.message.tool_calls) (message.tool_calls ??= []).push(...answer.message.tool_calls);
          last = answer;
        };
        if (check.stream) for await (const line of await api.chat({ ...request, stream: true })) take(line);
        else take(await api.chat({ ...request, stream: false }));
        messages.push(message);
        return {
          text: message.content, finish: last.done_reason, pieces,
          calls: (message.tool_calls ?? []).map((c) => ({ id: c.id, name: c.function.name, arguments: JSON.stringify(c.function.arguments) })),
          usage: { input: last.prompt_eval_count, output: last.eval_count },
        };
      },
      tell: (results) => messages.push(...results.map((r) => ({ role: 'tool', tool_name: r.name, tool_call_id: r.id, content: r.text }))),
    };
  };
  return { open };
};
