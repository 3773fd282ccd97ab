/** The one tab of a browser with an empty profile. */
export interface Tab {
  open(address: string): Promise<void>;
  /** Runs a function in the page; it may use only its arguments. */
  run<Args, Result>(work: (args: Args) => Result | Promise<Result>, args: Args): Promise<Result>;
  close(): Promise<void>;
}
