import callwright = require("callwright");

export async function use(): Promise<string> {
  const gateway: callwright.Gateway = await callwright.start();
  return gateway.url + callwright.program();
}
