import { open } from './main.js';
import './guide.css';

open({});
