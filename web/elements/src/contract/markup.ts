// Written by tools/elements-manifest.mjs.

/** The properties of each element that can be set, the property of each attribute, and the events that it sends. */
export interface PmMarkup {
  'pm-participate': {
    properties:
      'study' | 'sample' | 'guide' | 'compact' | 'ledger' | 'budgetEpsilon' | 'budgetDelta';
    attributes: {
      study: 'study';
      sample: 'sample';
      guide: 'guide';
      compact: 'compact';
      'budget-epsilon': 'budgetEpsilon';
      'budget-delta': 'budgetDelta';
    };
    events: 'pm-study' | 'pm-study-refused' | 'pm-release';
  };
  'pm-study-designer': {
    properties: 'study' | 'takePart' | 'analyse' | 'helpPage' | 'keep' | 'sample' | 'guide';
    attributes: {
      study: 'study';
      'take-part': 'takePart';
      analyse: 'analyse';
      'help-page': 'helpPage';
      keep: 'keep';
      sample: 'sample';
      guide: 'guide';
    };
    events: 'pm-study';
  };
  'pm-analysis': {
    properties: 'study' | 'sample' | 'guide' | 'helper' | 'takePart' | 'helpPage' | 'keep';
    attributes: {
      study: 'study';
      sample: 'sample';
      guide: 'guide';
      helper: 'helper';
      'take-part': 'takePart';
      'help-page': 'helpPage';
      keep: 'keep';
    };
    events: 'pm-study' | 'pm-result';
  };
  'pm-what-leaves': {
    properties: 'study' | 'release' | 'name' | 'guide' | 'onePerson';
    attributes: { name: 'name'; guide: 'guide' };
    events: never;
  };
  'pm-hand-out': {
    properties: 'study' | 'guarantee' | 'takePart' | 'analyse';
    attributes: { 'take-part': 'takePart'; analyse: 'analyse' };
    events: never;
  };
  'pm-result': {
    properties: 'result' | 'releases' | 'choices' | 'adjustment' | 'guide' | 'rail';
    attributes: { guide: 'guide'; rail: 'rail' };
    events: 'pm-choices' | 'pm-views' | 'pm-adjustment';
  };
  'pm-directions': {
    properties: 'result' | 'releases' | 'guide';
    attributes: { guide: 'guide' };
    events: never;
  };
  'pm-synthetic-rows': {
    properties: 'moments';
    attributes: object;
    events: never;
  };
  'pm-biplot': {
    properties: 'scores' | 'arrows' | 'x' | 'y';
    attributes: { x: 'x'; y: 'y' };
    events: never;
  };
  'pm-row-scores': {
    properties: 'result';
    attributes: object;
    events: never;
  };
  'pm-ledger': {
    properties: 'ledger';
    attributes: object;
    events: 'pm-ledger-changed';
  };
  'pm-budget-bar': {
    properties: 'spent' | 'budget' | 'exhausted';
    attributes: { exhausted: 'exhausted' };
    events: never;
  };
  'pm-drop-zone': {
    properties: 'heading' | 'help' | 'action' | 'accept' | 'multiple';
    attributes: {
      heading: 'heading';
      help: 'help';
      action: 'action';
      accept: 'accept';
      multiple: 'multiple';
    };
    events: 'pm-files';
  };
  'pm-log-slider': {
    properties:
      'label' | 'name' | 'min' | 'max' | 'value' | 'ticks' | 'error' | 'whole' | 'quiet' | 'show';
    attributes: {
      label: 'label';
      name: 'name';
      min: 'min';
      max: 'max';
      value: 'value';
      error: 'error';
      whole: 'whole';
      quiet: 'quiet';
    };
    events: 'pm-value';
  };
  'pm-copy-button': {
    properties: 'text' | 'label' | 'small' | 'primary';
    attributes: { label: 'label'; small: 'small'; primary: 'primary' };
    events: never;
  };
  'pm-guess-bar': {
    properties: 'guess' | 'what';
    attributes: { guess: 'guess'; what: 'what' };
    events: never;
  };
  'pm-seal': {
    properties: 'savePage';
    attributes: { 'save-page': 'savePage' };
    events: never;
  };
  'pm-session-helper': {
    properties: 'study' | 'analyse';
    attributes: { study: 'study'; analyse: 'analyse' };
    events: never;
  };
}
