// Sends messages to Python, if it is there, numbered, since they can arrive in another order; where no answer is drawn for long (see `heard`), the status line says what is waited for: `words`, or what the page of a study says.
function asker(model, status, words = "Waiting for the kernel, which is busy with something else.") {
  const page = String(Math.random());
  let [waiting, sent] = [0, 0];
  const heard = () => clearTimeout(waiting);
  function ask(message) {
    heard();
    if (status.closest(ASLEEP)) return void (status.textContent = "Nothing happened: no kernel runs this widget. Run this cell to play.");
    waiting = setTimeout(() => (status.textContent = model.get("waiting") ?? words), 1500);
    model.send({ ...message, sent: [page, sent++] });
  }
  return { ask, heard };
}
