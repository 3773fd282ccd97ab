// Hides the landing page before it is drawn where the address holds a study, which is opened instead.
{
  if (new URLSearchParams(location.hash.slice(1)).has('study')) {
    document.documentElement.classList.add('has-study');
  }
}
