// Narrows the policy above before any other script runs: of the files of this site only the service
// worker may be started from its address, where the policy of the page would not reach it. An address
// with its host is needed for that, which the page's text does not know.
{
  const { src } = document.currentScript;
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `worker-src blob: ${new URL('sw.js', src).href}`;
  document.head.append(policy);
}
