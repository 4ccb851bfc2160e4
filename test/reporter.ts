import Mocha from "mocha";

/** Mocha's usual report, followed by one line that any pipeline can parse. */
class ClosingLineReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      process.stdout.write(`${String(this.stats.passes)} passed, ${String(this.stats.failures)} failed\n`);
    });
  }
}

export = ClosingLineReporter;
