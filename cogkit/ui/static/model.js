// What a widget of a notebook talks to, without a notebook: the presenter of its instrument stands in for Python.
function makeModel(values, receive) {
  const heard = new Map();
  const tell = (name) => (heard.get(`change:${name}`) ?? []).forEach((act) => act());
  return {
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
      tell(name);
    },
    save_changes() {},
    send: receive,
    on: (event, act) => heard.set(event, [...(heard.get(event) ?? []), act]),
    off: (event, act) => heard.set(event, (heard.get(event) ?? []).filter((each) => each !== act)),
    show(changes) {
      Object.assign(values, changes);
      Object.keys(changes).forEach(tell);
    },
  };
}
