/** The service refused a call, or no answer arrived. The one error of the client. */
export class GatehouseError extends Error {
  override readonly name = "GatehouseError";

  /**
   * `code` is the code of the service's error. The client adds `no_answer` and `signed_out`. `status` is the status of
   * the response, or 0 without a response. `details` are the rules that a password breaks. `retryAfter` is in seconds.
   */
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: readonly string[] = [],
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}
