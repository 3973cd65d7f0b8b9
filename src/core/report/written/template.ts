import template from '../../../../templates/benchmark.md';

/** What a report begins as that no author has written yet, and no project has a template for. */
export const OWN_TEMPLATE: string = template;
