/** R in its worker, from this host. Packages beyond base R would come from another host. */
export async function startR() {
  const { WebR } = await import(
    /* @vite-ignore */ new URL('/peers/webr/dist/webr.js', location.href)
  );
  const r = new WebR({
    baseUrl: new URL('/peers/webr/dist/', location.href).href,
    interactive: false,
  });
  await r.init();
  return r;
}

let started;
export const sharedR = () => (started ??= startR());

/** Stores numbers, column by column, as a matrix in R's workspace. */
export async function giveMatrix(r, name, values, rows, columns) {
  const vector = await new r.RDouble(values);
  await r.objs.globalEnv.bind(name, vector);
  await r.evalRVoid(`dim(${name}) <- c(${rows}L, ${columns}L)`);
  await r.destroy(vector);
}
