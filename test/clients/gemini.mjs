// Google's SDK. A client is opened for a check and gives conversations; members of the check's configuration come last.
export default ({ GoogleGenAI }) => (check) => {
  const api = new GoogleGenAI({ apiKey: check.key, httpOptions: { baseUrl: check.base, timeout: 20_000 } });
  const tool = { name: 'get_weather', description: 'The weather in a city', parametersJsonSchema: check.schema };
  const choices = { none: { mode: 'NONE' }, required: { mode: 'ANY' }, named: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } };

  const open = () => {
    const contents = [{ role: 'user', parts: [{ text: check.prompt }] }];
    const request = {
      model: check.model, contents,
      config: {
        systemInstruction: 'Be brief.', tools: [{ functionDeclarations: [tool] }],
        ...(check.choice && { toolConfig: { functionCallingConfig: choices[check.choice] } }), ...check.members,
      },
    };
    return {
      ask: async () => {
        const parts = [];
        let pieces = 0;
        let last;
        const take = (answer) => {
          const candidate = answer.candidates?.[0];
          for (const part of candidate?.content?.parts ?? []) {
            pieces += part.text && !part.thought ? 1 : 0;
            parts.push(part);
          }
          last = { finish: candidate?.finishReason ?? last?.finish, usage: answer.usageMetadata ?? last?.usage };
        };
        if (check.stream) for await (const chunk of await api.models.generateContentStream(request)) take(chunk);
        else take(await api.models.generateContent(request));
        contents.push({ role: 'model', parts });
        const calls = parts.filter((p) => p.functionCall).map((p) => p.functionCall);
        return {
          text: parts.filter((p) => p.text && !p.thought).map((p) => p.text).join(''), finish: last.finish, pieces,
          calls: calls.map((c) => ({ id: c.id, name: c.name, arguments: JSON.stringify(c.args ?? {}) })),
          usage: { input: last.usage?.promptTokenCount, output: last.usage?.candidatesTokenCount, total: last.usage?.totalTokenCount },
        };
      },
      tell: (results) => contents.push({
        role: 'user', parts: results.map((r) => ({ functionResponse: { id: r.id, name: r.name, response: { output: r.text } } })),
      }),
    };
  };
  return { open };
};
