type Method<Response> = (
  call: { request: unknown },
  callback: (error: Error | null, response?: Response) => void,
) => void;

/** Calls a method of the plugin as the engine does. */
export function call<Response>(method: unknown, request: unknown): Promise<Response | undefined> {
  return new Promise((resolve, reject) => {
    (method as Method<Response>)({ request }, (error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}
