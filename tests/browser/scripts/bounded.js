// A kernel that dies takes some of Lab's promises with it: they never settle, so nothing waits for one alone. What came
// of a promise stays in the window: on a busy page Chromium now and then collects a promise that is waited for.
([script, argument, seconds]) => {
    const outcome = window.outcome = {settled: false};
    const bounded = Promise.race([
        eval(script)(argument),
        new Promise((_, fail) => setTimeout(() => fail(new Error(`no answer in ${seconds} s`)), seconds * 1000)),
    ]);
    bounded.then((value) => Object.assign(outcome, {settled: true, value}),
        (error) => Object.assign(outcome, {settled: true, error: `${error}`}));
    return bounded;
}
