/** R in its worker, from this host. Other packages than those of base R would come from another. */
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

/** Puts numbers, column by column, into R's workspace as a matrix. */
export async function giveMatrix(r, name, values, rows, columns) {
  const vector = await new r.RDouble(values);
  await r.objs.globalEnv.bind(name, vector);
  await r.evalRVoid(`dim(${name}) <- c(${rows}L, ${columns}L)`);
  await r.destroy(vector);
}
