/** The study of the three pages: public settings only. */
export const study = {
  title: 'Sleep and coffee',
  description: 'How do cups of coffee and hours of sleep go together?',
  columns: [
    { name: 'cups', type: 'number', min: 0, max: 10 },
    { name: 'hours', type: 'number', min: 3, max: 11 },
  ],
  privacy: { epsilon: 1, delta: 1e-6 },
};
