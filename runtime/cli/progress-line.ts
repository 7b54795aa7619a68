/** A line on standard error that shows the progress of a long command; nothing where it is not a terminal. */
export interface ProgressLine {
  show(done: number, of: number): void;
  end(): void;
}

const everyMs = 200;

export function progressLine(what: string, output: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shownAtMs = -Infinity;
  let isShown = false;
  return {
    show(done, of) {
      if (!output.isTTY || performance.now() - shownAtMs < everyMs) return;
      shownAtMs = performance.now();
      isShown = true;
      output.write(`\r${what} ${of === 0 ? 100 : Math.floor((100 * done) / of)} %`);
    },
    end() {
      if (isShown) output.write("\r\u001B[K");
    },
  };
}
